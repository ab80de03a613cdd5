// Command manifests asks Argo CD's repo-server for manifests, with the client of the application controller and its time limit. Reads a
// JSON array of ManifestRequests from stdin; prints a line of JSON for each as it is answered.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
)

// answer is of one request, by its place in the array; it has manifests or an error.
type answer struct {
	Index        int      `json:"index"`
	Manifests    []string `json:"manifests,omitempty"`
	SourceType   string   `json:"sourceType,omitempty"`
	Error        string   `json:"error,omitempty"`
	Milliseconds int64    `json:"milliseconds"`
}

func ask(client apiclient.RepoServerServiceClient, index int, request *apiclient.ManifestRequest) answer {
	began := time.Now()
	response, err := client.GenerateManifest(context.Background(), request)
	result := answer{Index: index, Milliseconds: time.Since(began).Milliseconds()}
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Manifests, result.SourceType = response.Manifests, response.SourceType
	return result
}

func run(address string, atOnce, timeout int) error {
	var requests []*apiclient.ManifestRequest
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		return err
	}
	clients := apiclient.NewRepoServerClientset(address, timeout, apiclient.TLSConfiguration{DisableTLS: true})
	connection, client, err := clients.NewRepoServerClient()
	if err != nil {
		return err
	}
	defer connection.Close()
	places, answers := make(chan int), make(chan answer)
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for index := range places {
				answers <- ask(client, index, requests[index])
			}
		})
	}
	go func() {
		for index := range requests {
			places <- index
		}
		close(places)
		workers.Wait()
		close(answers)
	}()
	printer := json.NewEncoder(os.Stdout)
	for one := range answers {
		if err := printer.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	address := flag.String("address", "", "of the repo-server, without TLS")
	atOnce := flag.Int("at-once", 8, "how many requests wait for an answer at the same time")
	timeout := flag.Int("timeout", 60, "seconds until a request is given up; the controller's default")
	flag.Parse()
	if err := run(*address, *atOnce, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
