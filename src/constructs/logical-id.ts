/**
 * The name of a resource in Terraform, from what names the thing itself: the same wherever in the code it is declared,
 * so that moving the code moves nothing else. A key that Terraform could not take for a name gets one that is near it
 * and that no other key gets.
 */
export function logicalIdOf(...parts: readonly string[]): string {
  const name = parts.join('--')
  if (/^[A-Za-z_][\w-]*$/.test(name)) return name
  const near = name.replace(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
  return `${near}_${fingerprint(name)}`
}

/** FNV-1a: short, always the same, and nothing depends on its being hard to guess. */
function fingerprint(text: string): string {
  const hash = [...new TextEncoder().encode(text)].reduce(
    (sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0,
    0x811c9dc5,
  )
  return hash.toString(16).padStart(8, '0')
}
