#!/bin/sh
# posthog-go 1.5.2 with local evaluation: GetFeatureFlagPayload gives an error for a flag that is off, or that has no
# payload, though GetFeatureFlag knows the flag. Without local evaluation it gives an empty text and no error.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "payload": { "payload": "12" }, "none": {}, "off": { "value": false, "payload": "12" } }
FLAGS
go_program github.com/posthog/posthog-go@v1.5.2 > out <<'PROGRAM'
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/posthog/posthog-go"
)

func main() {
	quiet := posthog.StdLogger(log.New(io.Discard, "", 0))
	for _, secret := range []string{"", "phx_x"} {
		sdk, _ := posthog.NewWithConfig("t", posthog.Config{Endpoint: os.Getenv("host"), PersonalApiKey: secret, Logger: quiet})
		for _, key := range []string{"payload", "none", "off"} {
			asked := posthog.FeatureFlagPayload{Key: key, DistinctId: "u"}
			value, _ := sdk.GetFeatureFlag(asked)
			payload, err := sdk.GetFeatureFlagPayload(asked)
			fmt.Printf("%v %q %v\n", value, payload, err)
		}
	}
}
PROGRAM
seen 'remote, then local' 'true "12" <nil>
true "" <nil>
false "" <nil>
true "12" <nil>
true "" unable to compute flag locally
false "" unable to compute flag locally' "$(cat out)"
