#!/bin/sh
# posthog-go 1.5.2: IsFeatureEnabled gives the name of the variant for a multivariate flag, so that `== true` fails.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "on": {}, "variant": { "value": "a" } }
FLAGS
go_program github.com/posthog/posthog-go@v1.5.2 > out <<'PROGRAM'
package main

import (
	"fmt"
	"os"

	"github.com/posthog/posthog-go"
)

func main() {
	sdk, _ := posthog.NewWithConfig("t", posthog.Config{Endpoint: os.Getenv("host")})
	for _, key := range []string{"on", "variant"} {
		enabled, err := sdk.IsFeatureEnabled(posthog.FeatureFlagPayload{Key: key, DistinctId: "u"})
		fmt.Println(enabled, enabled == true, err)
	}
}
PROGRAM
seen 'on, variant' 'true true <nil>
a false <nil>' "$(cat out)"
