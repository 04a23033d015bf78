/** Why a live object is not exported: nothing else is left out. Each reason ends its line. */
export const notExported =
  /"(?:constructor|prototype|__proto__)" cannot be (?:a name|used as a name)|: it has no name$|: its filters have no "groups", and "|: it is unclear which part of the live flag \S+ refers to: /
