/** The one function of `postject` that is called; the package has no types of its own. */
declare module 'postject' {
  export function inject(
    executable: string,
    resource: string,
    bytes: Uint8Array,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>
}
