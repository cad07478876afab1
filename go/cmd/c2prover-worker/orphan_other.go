//go:build !linux

package main

func tellOfDeath() {} // the clock is enough
