/** A function that does its work at the first call, and answers with what came of it from then on. */
export function once<Made>(work: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: work() }
    return made.value
  }
}
