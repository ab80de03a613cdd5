#!/bin/sh
# build-tool.sh helm-4|helm-3|kustomize FOLDER: builds the program that its go.mod names, at the checksums of its go.sum, for GOOS and
# GOARCH, into FOLDER/bin, and puts the licences of all that is linked into it under FOLDER/share/doc.
set -eu
name=$1
mkdir -p "$2/bin" "$2/share/doc/$name"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/$name"

package=$(go list -f '{{.ImportPath}}' tool)
module=$(go list -f '{{.Module.Path}}' tool)
version=$(go list -f '{{.Module.Version}}' tool)
linked=$(go list -deps -f '{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}' "$package" | sort -u | sed '/^argocd-prepuller\//d')
kubernetes=$(echo "$linked" | sed -n 's,^k8s.io/client-go v0\.\([0-9]*\)\..*,\1,p')

# What Helm's releases are stamped with, since charts can read it. The linker passes over names that a program does not have.
stamps="-X $module/internal/version.version=$version"
for place in pkg/chartutil pkg/lint/rules; do
  stamps="$stamps -X $module/$place.k8sVersionMajor=1 -X $module/$place.k8sVersionMinor=$kubernetes"
done
program=${name%%-[0-9]}
go build -trimpath -buildvcs=false -ldflags "-s -w $stamps" -o "$folder/bin/$program" "$package"

echo "$linked" | while read -r path release source; do
  find "$source" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | sort | while read -r file; do
    printf '%s %s: %s\n\n' "$path" "$release" "${file##*/}"
    cat "$file"
    printf '\n%s\n\n' ----------------------------------------
  done
done >"$folder/share/doc/$name/copyright"
