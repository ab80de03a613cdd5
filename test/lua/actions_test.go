package lua_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

const (
	retryAt      = "argocd-prepuller.github.io/retry-at"
	timeOfTheRun = "0001-01-01T00:00:00Z"
)

type action struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
	IconClass   string `json:"iconClass"`
	Disabled    bool   `json:"disabled"`
}

type actionTests struct {
	DiscoveryTests []struct {
		InputPath string   `json:"inputPath"`
		Result    []action `json:"result"`
	} `json:"discoveryTests"`
	ActionTests []struct {
		Action               string `json:"action"`
		InputPath            string `json:"inputPath"`
		ExpectedOutputPath   string `json:"expectedOutputPath"`
		ExpectedErrorMessage string `json:"expectedErrorMessage"`
	} `json:"actionTests"`
}

func TestDiscovery(t *testing.T) {
	var tests actionTests
	readYAML(t, "actions/action_test.yaml", &tests)
	script := loadScript(t, "actions/discovery.lua")
	for _, test := range tests.DiscoveryTests {
		t.Run(strings.TrimSuffix(filepath.Base(test.InputPath), ".yaml"), func(t *testing.T) {
			answer, err := script.run(readObject(t, "actions/"+test.InputPath))
			if err != nil {
				t.Fatal(err)
			}
			got := discovered(t, answer)
			sort.Slice(test.Result, func(a, b int) bool { return test.Result[a].Name < test.Result[b].Name })
			if !reflect.DeepEqual(got, test.Result) {
				t.Errorf("\n got %+v\nwant %+v", got, test.Result)
			}
		})
	}
	if len(tests.DiscoveryTests) < 20 {
		t.Errorf("only %d fixtures", len(tests.DiscoveryTests))
	}
	fmt.Printf("discovery: %d fixtures\n", len(tests.DiscoveryTests))
	script.expectEveryLineRan(t)
}

// discovered reads name → settings; an empty Lua table arrives as an empty list.
func discovered(t *testing.T, answer []byte) []action {
	t.Helper()
	actions := []action{}
	if string(answer) == "[]" {
		return actions
	}
	var byName map[string]action
	decode(t, answer, &byName)
	for name, found := range byName {
		found.Name = name
		actions = append(actions, found)
	}
	sort.Slice(actions, func(a, b int) bool { return actions[a].Name < actions[b].Name })
	return actions
}

func TestActions(t *testing.T) {
	var tests actionTests
	readYAML(t, "actions/action_test.yaml", &tests)
	scripts := map[string]*script{}
	used := map[string]bool{}
	for _, test := range tests.DiscoveryTests {
		used[test.InputPath] = true
	}
	for _, test := range tests.ActionTests {
		used[test.InputPath], used[test.ExpectedOutputPath] = true, true
		if scripts[test.Action] == nil {
			scripts[test.Action] = loadScript(t, "actions/"+test.Action+".lua")
		}
		t.Run(test.Action+"/"+strings.TrimSuffix(filepath.Base(test.InputPath), ".yaml"), func(t *testing.T) {
			source := readObject(t, "actions/"+test.InputPath)
			before := time.Now().Truncate(time.Second)
			answer, err := scripts[test.Action].run(source)
			if test.ExpectedErrorMessage != "" {
				if err == nil || err.Error() != test.ExpectedErrorMessage {
					t.Errorf("error %v, want %s", err, test.ExpectedErrorMessage)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got any
			decode(t, answer, &got)
			got = restoreEmptyMaps(got, source)
			if test.Action == "retry" {
				expectTimeOfTheRun(t, got.(object), before)
			}
			if want := any(readObject(t, "actions/"+test.ExpectedOutputPath)); !reflect.DeepEqual(got, want) {
				gotText, _ := yaml.Marshal(got)
				wantText, _ := yaml.Marshal(want)
				t.Errorf("got\n%s\nwant\n%s", gotText, wantText)
			}
		})
	}
	expectAllFilesUsed(t, "actions/testdata", used)
	if len(tests.ActionTests) < 15 || len(scripts) != 3 {
		t.Errorf("only %d fixtures of %d actions", len(tests.ActionTests), len(scripts))
	}
	fmt.Printf("actions: %d fixtures\n", len(tests.ActionTests))
	for _, script := range scripts {
		script.expectEveryLineRan(t)
	}
}

// restoreEmptyMaps does what Argo CD does (cleanReturnedObj): Lua cannot tell an empty map from an empty list.
func restoreEmptyMaps(value, source any) any {
	switch typed := value.(type) {
	case object:
		old, _ := source.(object)
		for key := range typed {
			typed[key] = restoreEmptyMaps(typed[key], old[key])
		}
	case []any:
		if _, wasMap := source.(object); wasMap && len(typed) == 0 {
			return object{}
		}
		old, _ := source.([]any)
		for index := range min(len(typed), len(old)) {
			typed[index] = restoreEmptyMaps(typed[index], old[index])
		}
	}
	return value
}

// expectTimeOfTheRun puts the fixture's stand-in in place of a retry-at that is RFC 3339 and of this run.
func expectTimeOfTheRun(t *testing.T, got object, before time.Time) {
	t.Helper()
	annotations := got["metadata"].(object)["annotations"].(object)
	text, _ := annotations[retryAt].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Before(before) || at.After(time.Now()) {
		t.Errorf("retry-at %q is not the time of this run (%v)", text, err)
	}
	annotations[retryAt] = timeOfTheRun
}

func decodeYAML(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
