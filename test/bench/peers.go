package main

// A peer is a published function, or a server of the same kind as one here, as it
// was measured in an earlier run, insecure, on a machine of two cores, with
// Go 1.26, at the same three works. Times are in ms, memory in MiB.
type peer struct {
	name                string
	idle, loaded        float64
	aP50, aRate, aCPU   float64
	bP50                float64
	cP50, cRate, cCPU   float64
	start               float64 // zero: not measured
	commit, explanation string
}

// peersDate is the day of that run.
const peersDate = "2026-11-20"

// peerFloor is the nullproto of that run: what its figures are put in relation to,
// since ratios travel between machines and times do not.
var peerFloor = peer{name: "nullproto", idle: 8.7, loaded: 48, aP50: 0.56, aRate: 3220, aCPU: 0.48, bP50: 0.35, cP50: 12.3, cRate: 139, cCPU: 12.9}

// patchAndTransform is the most used of the peers.
var patchAndTransform = peer{name: "function-patch-and-transform", commit: "55116ae", idle: 31.4, loaded: 156, aP50: 1.60, aRate: 1014, aCPU: 1.71, bP50: 1.20, cP50: 43.5, cRate: 39, cCPU: 48}

var peers = []peer{
	{name: "null", idle: 9.1, loaded: 20, aP50: 0.15, aRate: 18611, aCPU: 0.05, bP50: 0.15, cP50: 0.55, cRate: 2413, cCPU: 0.5, start: 6},
	{name: "SDK helpers, typed objects", idle: 26.4, loaded: 96, aP50: 1.00, aRate: 1690, aCPU: 0.96, bP50: 0.74, cP50: 22.5, cRate: 73, cCPU: 25.0, start: 19},
	{name: "function-auto-ready", commit: "81ba55a", explanation: "readiness alone", idle: 31.6, loaded: 138, aP50: 1.04, aRate: 1449, aCPU: 1.05, bP50: 0.54, cP50: 26.0, cRate: 59, cCPU: 30.8, start: 32},
	patchAndTransform,
	{name: "function-go-templating", commit: "9222efc", explanation: "then needs function-auto-ready too", idle: 28.6, loaded: 273, aP50: 1.86, aRate: 784, aCPU: 2.22, bP50: 1.26, cP50: 45.2, cRate: 33, cCPU: 58},
	{name: "function-kro", commit: "519fd9b", idle: 35.4, loaded: 196, aP50: 16.5, aRate: 78, aCPU: 24.4, bP50: 14.6, cP50: 72.4, cRate: 19, cCPU: 100, start: 59},
}
