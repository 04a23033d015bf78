import { type BaseUrl, withoutEndSlash } from '../base-url.ts'

/**
 * The query of a link to the next page, or why the link is refused. Only the query is used: it is sent to the
 * list that was being read, on our own origin, so a link can never carry the key elsewhere.
 */
export function nextQuery(
  link: string,
  path: string,
  { origin, prefix }: BaseUrl,
): { readonly query: URLSearchParams } | { readonly refused: string } {
  const from = `${origin}${prefix}${path}/`
  if (!URL.canParse(link, from)) return { refused: `has a "next" that is no link: "${link}"` }
  const url = new URL(link, from)
  if (!isSameOrigin(url, new URL(origin))) {
    return { refused: `has a "next" that leads to another origin, ${url.origin}, and is not followed` }
  }
  // A service behind a gateway does not know the gateway's prefix.
  const isSameList = [path, `${prefix}${path}`].includes(withoutEndSlash(url.pathname))
  if (!isSameList) return { refused: `has a "next" that leads to another list, ${url.pathname}` }
  return { query: url.searchParams }
}

/** A service behind a proxy that ends TLS writes links with http; the rest of the origin must agree. */
function isSameOrigin(url: URL, own: URL): boolean {
  if (url.origin === own.origin) return true
  return own.protocol === 'https:' && url.protocol === 'http:' && url.host === own.host && own.port === ''
}
