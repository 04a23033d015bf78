/** The only function of `postject` that is called. The package has no types. */
declare module 'postject' {
  export function inject(
    executable: string,
    resource: string,
    bytes: Uint8Array,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>
}
