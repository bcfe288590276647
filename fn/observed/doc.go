// Package observed reads the resources that exist, and of each only what
// planning and readiness need: a Pod as the API server returns it has some four
// kilobytes, of which these types keep a tenth.
package observed
