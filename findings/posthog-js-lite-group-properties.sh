#!/bin/sh
# posthog-js-lite 4.12.1: the properties of `group` go into the $groupidentify event, but not to /flags, as posthog-js
# 1.449.2 sends them. setGroupPropertiesForFlags sends them, and keeps those of an earlier group for the next one of its
# type.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
in_browser posthog-js-lite@4.12.1 <<'PROGRAM'
import { PostHog as Lite } from 'posthog-js-lite'
const page = start('page')
const lite = new Lite('lite', { host, persistence: 'memory' })
await until(() => page.getFeatureFlag('a') && lite.getFeatureFlag('a'))
const show = async (name, act) => {
  const before = asked('/flags', `"${name}`).length
  act()
  await until(() => asked('/flags', `"${name}`).length > before)
  await new Promise(soon => setTimeout(soon, 300))
  const { groups, $groups = groups, group_properties: properties } = asked('/flags', `"${name}`).at(-1)
  console.log(name, JSON.stringify($groups), JSON.stringify(properties))
}
await show('page', () => page.group('company', 'acme', { size: 1 }))
await show('page', () => page.group('company', 'other'))
await show('lite', () => lite.group('company', 'acme', { size: 1 }))
lite.setGroupPropertiesForFlags({ company: { size: 1 } })
await show('lite', () => lite.reloadFeatureFlags())
await show('lite', () => lite.group('company', 'other'))
PROGRAM
seen 'posthog-js, posthog-js-lite' 'page {"company":"acme"} {"company":{"size":1}}
page {"company":"other"} {"company":{}}
lite {"company":"acme"} {}
lite {"company":"acme"} {"company":{"size":1}}
lite {"company":"other"} {"company":{"size":1}}' "$(cat out)"
