/**
 * The name of a resource in Terraform, from the name of the object itself: equal at any place in the code, so
 * moving the code changes nothing. A key that is no valid name in Terraform gets a similar name that no other
 * key gets.
 */
export function logicalIdOf(...parts: readonly string[]): string {
  const name = parts.join('--')
  if (/^[A-Za-z_][\w-]*$/.test(name)) return name
  const near = name.replace(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
  return `${near}_${fingerprint(name)}`
}

/** FNV-1a: short and stable. It need not be hard to guess. */
function fingerprint(text: string): string {
  const hash = [...new TextEncoder().encode(text)].reduce(
    (sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0,
    0x811c9dc5,
  )
  return hash.toString(16).padStart(8, '0')
}
