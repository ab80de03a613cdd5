#!/bin/sh
# unpack-git.sh amd64|arm64 FOLDER: Debian's git for that platform with the libraries it needs to fetch by https, and the certificates of
# public authorities, unpacked into FOLDER. Without Perl, translations and manuals; apt checks Debian's signatures.
set -eu
architecture=$1
mkdir -p "$2" debs
folder=$(cd "$2" && pwd)
chmod 755 "$folder"

dpkg --add-architecture "$architecture"
apt-get update
cd debs
names=
for name in git libbrotli1 libcom-err2 libcurl3-gnutls libexpat1 libgssapi-krb5-2 libk5crypto3 libkeyutils1 libkrb5-3 libkrb5support0 \
  libldap-2.5-0 libnghttp2-14 libpcre2-8-0 libpsl5 librtmp1 libsasl2-2 libsasl2-modules-db libssh2-1 libssl3 zlib1g; do
  names="$names $name:$architecture"
done
# shellcheck disable=SC2086
apt-get download ca-certificates $names

for package in ./*.deb; do
  dpkg-deb --extract "$package" "$folder"
done
cat "$folder"/usr/share/ca-certificates/mozilla/*.crt >../authorities.crt
rm -r "$folder/etc" "$folder/usr/sbin" "$folder/usr/share/ca-certificates" "$folder/usr/share/perl5"
find "$folder/usr/share" ! -type d ! -name copyright -delete
# Nor what serves, pushes and mails.
for program in git-daemon git-http-backend git-http-push git-imap-send git-shell scalar; do
  rm -f "$folder/usr/bin/$program" "$folder/usr/lib/git-core/$program"
done
grep -rlI '^#!/usr/bin/perl' "$folder/usr/bin" "$folder/usr/lib/git-core" | xargs rm
# Libraries stand in one place in the base image: /lib is a link there.
if [ -d "$folder/lib" ]; then
  mkdir -p "$folder/usr/lib"
  cp -a "$folder/lib/." "$folder/usr/lib/"
  rm -r "$folder/lib"
fi
find "$folder" -type d -empty -delete
mkdir -p "$folder/etc/ssl/certs"
cp ../authorities.crt "$folder/etc/ssl/certs/ca-certificates.crt"
