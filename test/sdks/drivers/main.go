// sdk QUESTIONS: what posthog-go answers, one JSON line for each question. Without a secret it asks the
// service. A question with an event is also about the payload, and captures that event.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/posthog/posthog-go"
)

type question struct {
	Id, Token, Secret, Key, DistinctId, Event string
	OnlyLocal                          bool
	PersonProperties                   posthog.Properties
	Groups                             posthog.Groups
	GroupProperties                    map[string]posthog.Properties
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var asked struct {
		Host      string
		Questions []question
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&asked); err != nil {
		log.Fatal(err)
	}
	out := json.NewEncoder(os.Stdout)
	for _, each := range asked.Questions {
		answer := map[string]any{"id": each.Id}
		if value, payload, err := ask(asked.Host, each); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["value"], answer["payload"] = value, payload
		}
		if err := out.Encode(answer); err != nil {
			log.Fatal(err)
		}
	}
}

func ask(host string, each question) (value any, payload any, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	sdk, err := posthog.NewWithConfig(each.Token, posthog.Config{
		Endpoint:                           host,
		PersonalApiKey:                     each.Secret,
		DefaultFeatureFlagsPollingInterval: time.Hour,
		Logger:                             posthog.StdLogger(log.New(io.Discard, "", 0)),
	})
	if err != nil {
		return nil, nil, err
	}
	defer sdk.Close()
	for _, properties := range each.GroupProperties {
		natural(properties)
	}
	sendEvents := false
	asked := posthog.FeatureFlagPayload{
		Key:                   each.Key,
		DistinctId:            each.DistinctId,
		PersonProperties:      natural(each.PersonProperties).(posthog.Properties),
		Groups:                each.Groups,
		GroupProperties:       each.GroupProperties,
		OnlyEvaluateLocally:   each.OnlyLocal,
		SendFeatureFlagEvents: &sendEvents,
	}
	value, err = sdk.GetFeatureFlag(asked)
	if err != nil || each.Event == "" {
		return value, nil, err
	}
	// A flag without a payload is an error.
	if text, failed := sdk.GetFeatureFlagPayload(asked); failed == nil && text != "" {
		err = json.Unmarshal([]byte(text), &payload)
	}
	sdk.Enqueue(posthog.Capture{
		DistinctId: each.DistinctId,
		Event:      each.Event,
		Properties: posthog.NewProperties().Set("key", each.Key),
	})
	return value, payload, err
}

// natural gives values the types that they have in Go programs: int and []string, not those of decoded JSON.
func natural(value any) any {
	switch value := value.(type) {
	case posthog.Properties:
		for name, member := range value {
			value[name] = natural(member)
		}
	case json.Number:
		if whole, err := strconv.Atoi(value.String()); err == nil {
			return whole
		}
		decimal, _ := value.Float64()
		return decimal
	case []any:
		texts := []string{}
		for _, each := range value {
			text, isText := each.(string)
			if !isText {
				return value
			}
			texts = append(texts, text)
		}
		return texts
	}
	return value
}
