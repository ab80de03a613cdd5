package lua_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type health struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

type healthTests struct {
	Tests []struct {
		InputPath    string `json:"inputPath"`
		HealthStatus health `json:"healthStatus"`
	} `json:"tests"`
}

func readHealthTests(t *testing.T) healthTests {
	t.Helper()
	var read healthTests
	readYAML(t, "health_test.yaml", &read)
	return read
}

// judge fails the test unless the answer is one that Argo CD takes: both fields are text, the status is a known word.
func judge(t *testing.T, s *script, obj object) health {
	t.Helper()
	answer, err := s.run(obj)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]string
	decode(t, answer, &fields)
	status, message := fields["status"], fields["message"]
	if status != "Healthy" && status != "Progressing" && status != "Degraded" {
		t.Fatalf("unknown status in %s", answer)
	}
	if len(fields) != 2 {
		t.Fatalf("more or less than status and message in %s", answer)
	}
	return health{status, message}
}

func TestHealth(t *testing.T) {
	script := loadScript(t, "health.lua")
	used := map[string]bool{}
	foreign := 0
	for _, test := range readHealthTests(t).Tests {
		used[test.InputPath] = true
		t.Run(strings.TrimSuffix(filepath.Base(test.InputPath), ".yaml"), func(t *testing.T) {
			obj := readObject(t, test.InputPath)
			if got := judge(t, script, obj); got != test.HealthStatus {
				t.Errorf("\n got %+v\nwant %+v", got, test.HealthStatus)
			}
			if strings.HasPrefix(test.InputPath, "testdata/foreign-") {
				foreign++
				if want := builtin(obj); want != test.HealthStatus {
					t.Errorf("the built-in rule says %+v, the fixture %+v", want, test.HealthStatus)
				}
			}
		})
	}
	expectAllFilesUsed(t, "testdata", used)
	if len(used) < 70 || foreign < 20 {
		t.Errorf("only %d fixtures, %d of them foreign", len(used), foreign)
	}
	fmt.Printf("health: %d fixtures, %d of them foreign DaemonSets equal to the built-in rule\n", len(used), foreign)
	script.expectEveryLineRan(t)
}

// Whatever stands at any place of any fixture, the script answers: an error would end a hook.
func TestHealthNeverFails(t *testing.T) {
	script := loadScript(t, "health.lua")
	count := 0
	for _, test := range readHealthTests(t).Tests {
		obj := readObject(t, test.InputPath)
		for _, odd := range []string{`null`, `"text"`, `7`, `1.5`, `true`, `[]`, `{}`, `[null, "a", [1], {"b": 2}]`, `{"type": {"a": "b"}}`} {
			var value any
			decode(t, []byte(odd), &value)
			everyPlace(obj, func(set func(any), old any) {
				set(value)
				judge(t, script, obj)
				set(old)
				count++
			})
		}
	}
	fmt.Printf("health: %d objects with an odd value at one place, each with an answer\n", count)
}

// everyPlace visits each value inside a JSON value, with a function that replaces it.
func everyPlace(value any, visit func(set func(any), old any)) {
	switch typed := value.(type) {
	case object:
		for key, item := range typed {
			visit(func(replacement any) { typed[key] = replacement }, item)
			everyPlace(item, visit)
		}
	case []any:
		for index, item := range typed {
			visit(func(replacement any) { typed[index] = replacement }, item)
			everyPlace(item, visit)
		}
	}
}

// Who has a script for DaemonSets already puts it in place of the last line.
func TestHealthTakesAnotherRuleForForeignDaemonSets(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(installFolder, "health.lua"))
	if err != nil {
		t.Fatal(err)
	}
	head, found := strings.CutSuffix(string(text), "\nreturn builtin()\n")
	if !found {
		t.Fatal("the last line is not the call of the built-in rule")
	}
	theirs := "\nlocal hs = {}\nhs.status = \"Degraded\"\nhs.message = \"theirs\"\nreturn hs\n"
	script := compile(t, "merged.lua", head+theirs)
	if got := judge(t, script, readObject(t, "testdata/foreign-available.yaml")); got != (health{"Degraded", "theirs"}) {
		t.Errorf("foreign: %+v", got)
	}
	if got := judge(t, script, readObject(t, "testdata/hook-unknown.yaml")); got.Status != "Progressing" {
		t.Errorf("puller: %+v", got)
	}
}

// The two keys of argocd-cm hold the files' text as Argo CD's own YAML reader sees it.
func TestConfigMapHoldsTheScripts(t *testing.T) {
	var configMap struct {
		Data map[string]string `json:"data"`
	}
	readYAML(t, "argocd-cm.yaml", &configMap)
	expectText(t, configMap.Data["resource.customizations.health.apps_DaemonSet"], "health.lua")
	var actions struct {
		MergeBuiltinActions bool   `json:"mergeBuiltinActions"`
		Discovery           string `json:"discovery.lua"`
		Definitions         []struct {
			Name string `json:"name"`
			Lua  string `json:"action.lua"`
		} `json:"definitions"`
	}
	decodeYAML(t, configMap.Data["resource.customizations.actions.apps_DaemonSet"], &actions)
	expectText(t, actions.Discovery, "actions/discovery.lua")
	names := []string{}
	for _, definition := range actions.Definitions {
		names = append(names, definition.Name)
		expectText(t, definition.Lua, "actions/"+definition.Name+".lua")
	}
	if got, _ := json.Marshal(names); string(got) != `["let-through","give-up","retry"]` || !actions.MergeBuiltinActions {
		t.Errorf("actions %s, built-in ones merged: %v", got, actions.MergeBuiltinActions)
	}
	if len(configMap.Data) != 2 {
		t.Errorf("%d keys", len(configMap.Data))
	}
}

func expectText(t *testing.T, got, file string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(installFolder, file))
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what argocd-cm.yaml holds", file)
	}
}
