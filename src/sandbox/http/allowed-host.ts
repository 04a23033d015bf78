import { isIP } from 'node:net'

/**
 * Whether a request may be answered that was sent to this host. A page of the web can let its own name lead to this
 * machine and then reads what answers there as its own, so only names that mean this machine are answered.
 *
 * | `Host`                                   | answered                                            |
 * |------------------------------------------|-----------------------------------------------------|
 * | localhost, something.localhost, loopback | always                                              |
 * | what it listens on, what was allowed     | always                                              |
 * | another address in digits                | where it listens on all addresses: no name leads it |
 * | any other name, or none                  | never                                               |
 */
export function isAllowedHost(
  header: string | undefined,
  listensOn: string,
  allowed: readonly string[],
): boolean {
  const name = hostName(header ?? '')
  if (name === '') return false
  if (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(name)
  )
    return true
  if ([listensOn, ...allowed].some(each => hostName(each) === name)) return true
  return (listensOn === '0.0.0.0' || listensOn === '::') && isIP(name) !== 0
}

/** Without its port and brackets. */
function hostName(host: string): string {
  if (isIP(host) === 6) return host.toLowerCase()
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(host)?.[1]
  return (bracketed ?? host.replace(/:\d+$/, '')).toLowerCase()
}
