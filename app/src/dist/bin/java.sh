# Sourced with $dist set: sets $java to the Java that Husk was built with, or to another that will do.
java=$(cat "$dist/java" 2>/dev/null)
if [ ! -x "$java" ]; then
  java=""
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/java/* /opt/jdk*; do
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release" 2>/dev/null)
    if [ -n "$version" ] && [ "$version" -ge 25 ] && [ -x "$home/bin/java" ]; then
      java=$home/bin/java
      break
    fi
  done
  if [ -z "$java" ]; then
    echo "error: no Java 25 found (looked at JAVA_HOME, /usr/lib/jvm and /opt)" >&2
    echo "hint: install one, for example Temurin 25, or set JAVA_HOME to it" >&2
    exit 4
  fi
fi
# Java reads arguments and paths in the locale's encoding; names may be in any language.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in *UTF-8 | *utf8) ;; *) export LC_ALL=C.UTF-8 ;; esac
