// sdk QUESTIONS: what posthog-go answers, one JSON line for each question.
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
	Id, Token, Secret, Key, DistinctId string
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
		if value, err := ask(asked.Host, each); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["value"] = value
		}
		if err := out.Encode(answer); err != nil {
			log.Fatal(err)
		}
	}
}

func ask(host string, each question) (value any, err error) {
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
		return nil, err
	}
	defer sdk.Close()
	sendEvents := false
	return sdk.GetFeatureFlag(posthog.FeatureFlagPayload{
		Key:                   each.Key,
		DistinctId:            each.DistinctId,
		PersonProperties:      natural(each.PersonProperties).(posthog.Properties),
		Groups:                each.Groups,
		GroupProperties:       each.GroupProperties,
		SendFeatureFlagEvents: &sendEvents,
	})
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
