// Package network renders what leads to an Echo's Pods.
package network
