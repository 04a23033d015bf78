#!/bin/sh
# posthog-go 1.5.2 with OnlyEvaluateLocally: a flag that cannot be decided is `false` with an error for GetFeatureFlag,
# nil with an error for IsFeatureEnabled, and missing without an error in GetAllFlags. One that does not exist is nil
# without an error.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "undecided": { "properties": [{ "key": "plan", "value": "pro", "type": "person", "operator": "exact" }] } }
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
	sdk, _ := posthog.NewWithConfig("t", posthog.Config{Endpoint: os.Getenv("host"), PersonalApiKey: "phx_x", Logger: quiet})
	for _, key := range []string{"undecided", "missing"} {
		asked := posthog.FeatureFlagPayload{Key: key, DistinctId: "u", OnlyEvaluateLocally: true}
		value, err := sdk.GetFeatureFlag(asked)
		enabled, other := sdk.IsFeatureEnabled(asked)
		fmt.Println(key, value, err != nil, enabled, other != nil)
	}
	fmt.Println(sdk.GetAllFlags(posthog.FeatureFlagPayloadNoKey{DistinctId: "u", OnlyEvaluateLocally: true}))
}
PROGRAM
seen 'GetFeatureFlag, IsFeatureEnabled, GetAllFlags' 'undecided false true <nil> true
missing <nil> false <nil> false
map[] <nil>' "$(cat out)"
