import type { Json } from '../../../src/model/json/json.ts'
import type { Private } from '../../../src/terraform/provider.ts'
import type { Remembered } from '../../../src/terraform/resources/apply/remembered.ts'

/** What is remembered as JSON of names and digests in base64url, as states of earlier versions have it. */
export function keptAsJson({ fingerprint, fields, origin, pending, base, isNew }: Remembered): Private {
  const declared = base?.fields ?? {}
  const packed = (digests: Readonly<Record<string, string>>, isAsked: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(digests)
        .filter(([name]) => isAsked(name))
        .map(([name, digest]) => [name, Buffer.from(digest, 'hex').toString('base64url')]),
    )
  return bytesOf([
    2,
    {
      ...(fingerprint === undefined
        ? {}
        : { fingerprint: Buffer.from(whole(fingerprint), 'hex').toString('base64url') }),
      both: packed(fields, name => declared[name] === fields[name]),
      live: packed(fields, name => declared[name] !== fields[name]),
      ...(base ? { base: packed(declared, name => declared[name] !== fields[name]) } : {}),
      ...(base?.at === undefined ? {} : { at: base.at }),
      ...(origin ? { origin: JSON.stringify(origin) } : {}),
      ...(pending ? { pending: { ...pending } } : {}),
      ...(isNew ? { new: true } : {}),
    },
  ])
}

/** The same as JSON of a text for each entry, the form before that. */
export function keptAsTexts({ fingerprint, fields, origin, pending, base, isNew }: Remembered): Private {
  return bytesOf({
    format: 1,
    entries: {
      format: '1',
      fields: JSON.stringify(fields),
      ...(fingerprint === undefined ? {} : { fingerprint: `sha256:${whole(fingerprint)}` }),
      ...(origin ? { origin: JSON.stringify(origin) } : {}),
      ...(pending ? { pending: JSON.stringify(pending) } : {}),
      ...(base ? { base: JSON.stringify(base) } : {}),
      ...(isNew ? { new: '1' } : {}),
    },
  })
}

/** Both forms had whole fingerprints. */
function whole(fingerprint: string): string {
  return fingerprint.padEnd(64, '0')
}

function bytesOf(json: Json): Private {
  return Buffer.from(JSON.stringify(json))
}
