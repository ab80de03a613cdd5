#!/bin/sh
# Images that stand in for the official ones of Node and Go, which no registry gives us here: Debian from debootstrap with the Node and the
# npm that run this, and with this machine's Go. Its certificates come along: builds go through its network. Arguments: TAG FOLDER, with NODE
# and NPM (a file, a folder) or GOROOT set. `buildah` is configured by the environment.
set -eu
tag=$1 folder=$2
debian=$folder/bookworm
if [ ! -e "$debian/etc/debian_version" ]; then
  scratch=$(mktemp -d "$folder/bookworm-XXXXXX")
  debootstrap --variant=minbase bookworm "$scratch" >"$folder/debootstrap.log" 2>&1
  chmod 755 "$scratch"
  mv "$scratch" "$debian"
fi
container=$(buildah from scratch)
root=$(buildah mount "$container")
cp -a "$debian/." "$root/"
mkdir -p "$root/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
case $tag in
stand-in-node:*)
  cp "$NODE" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -aL "$NPM" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  ;;
stand-in-go:*)
  cp -a "$GOROOT" "$root/usr/local/go"
  buildah config --env GOPATH=/go "$container"
  buildah config --env PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  ;;
esac
buildah unmount "$container" >/dev/null
buildah commit --quiet --rm "$container" "localhost/$tag"
