// Command argocd is one binary for every part of Argo CD: its first argument names the part, the rest are that part's own
// flags. The parts come from the module github.com/argoproj/argo-cd/v3 as they are.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	cmpserver "github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	server "github.com/argoproj/argo-cd/v3/cmd/argocd-server/commands"
	client "github.com/argoproj/argo-cd/v3/cmd/argocd/commands"
)

var parts = map[string]func() *cobra.Command{
	"argocd":                        client.NewCommand,
	"argocd-application-controller": controller.NewCommand,
	"argocd-cmp-server":             cmpserver.NewCommand,
	"argocd-repo-server":            reposerver.NewCommand,
	"argocd-server":                 server.NewCommand,
}

func main() {
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	newCommand, known := parts[name]
	if !known {
		fmt.Fprintf(os.Stderr, "usage: argocd PART [FLAG...], PART one of %s\n", strings.Join(slices.Sorted(maps.Keys(parts)), ", "))
		os.Exit(2)
	}
	os.Args = os.Args[1:]
	if err := newCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
