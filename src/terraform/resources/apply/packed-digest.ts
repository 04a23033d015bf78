const shortHex = /^[0-9a-f]{12}$/
const shortPacked = /^[\w-]{8}$/
const longHex = /^sha256:[0-9a-f]{64}$/
const longPacked = /^[\w-]{43}$/

/** A short digest of 12 hex digits in 8 characters of base64url; any other text as it is. */
export function packedDigest(digest: string): string {
  return shortHex.test(digest) ? Buffer.from(digest, 'hex').toString('base64url') : digest
}

/** The short digest that was packed. */
export function longDigest(packed: string): string {
  return shortPacked.test(packed) ? Buffer.from(packed, 'base64url').toString('hex') : packed
}

/** A fingerprint, `sha256:` and 64 hex digits, in 43 characters of base64url; any other text as it is. */
export function packedFingerprint(fingerprint: string): string {
  return longHex.test(fingerprint)
    ? Buffer.from(fingerprint.slice(7), 'hex').toString('base64url')
    : fingerprint
}

/** The fingerprint that was packed. */
export function longFingerprint(packed: string): string {
  return longPacked.test(packed) ? `sha256:${Buffer.from(packed, 'base64url').toString('hex')}` : packed
}
