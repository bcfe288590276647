package main

// A peer is a published provider, as it was measured on another day, on a machine of
// two cores, with kube-apiserver 1.35.4, resources made by client-go, and versitygw
// behind a counting proxy (PostgreSQL for provider-sql); most figures are of one
// sample. Words are figures that are none.
type peer struct {
	name, commit                          string
	idle, ready, rss, s3, requests, polls string
	cpu, deleted                          string
}

const (
	// peersDate is the day of that run.
	peersDate = "2026-11-20"

	// peersFloor is how long 2,000 resources with one status write each took on that
	// machine, in seconds.
	peersFloor = 7.4
)

var peers = []peer{
	{name: "provider-minio (rossigee)", commit: "07cd9df", idle: "46 (12)", ready: "94 s, 12.7x", rss: "224", s3: "6", requests: "14", polls: "2", cpu: "2.4", deleted: "37 s, 5.0x"},
	{name: "provider-minio (vshn)", commit: "0fc53f0", idle: "40 (8)", ready: "not in 120 s", rss: "198", s3: "6", requests: "14", polls: "2", cpu: "2.4", deleted: "> 50 s"},
	{name: "provider-ceph", commit: "bcd0409", idle: "48 (13)", ready: "61 s, 8.2x", rss: "118", s3: "7", requests: "18", polls: "3", cpu: "3.5", deleted: "37 s, 5.0x"},
	{name: "provider-sql, 100 databases", commit: "b46be88", idle: "46 (14)", ready: "", rss: "58", s3: "5 connections", requests: "13", polls: "1 new connection", cpu: "6.0", deleted: "5 s (100)"},
}
