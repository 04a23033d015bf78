#!/bin/sh
# posthog-js 1.449.2: `group` asks /flags each time that it has properties, although neither the group nor its properties
# have changed. Without properties it asks only for another group.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
in_browser <<'PROGRAM'
const page = start('t')
await until(() => page.getFeatureFlag('a'))
const requests = async (...group) => {
  const before = asked('/flags').length
  page.group(...group)
  await new Promise(soon => setTimeout(soon, 300))
  return asked('/flags').length - before
}
console.log(await requests('company', 'acme', { size: 1 }), await requests('company', 'acme', { size: 1 }))
console.log(await requests('company', 'acme'), await requests('company', 'other'))
PROGRAM
seen 'new, again, again without properties, another' '1 1
0 1' "$(cat out)"
