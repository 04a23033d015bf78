/** The element of this id, where the page has it and it is one of that class. */
export function byId<E extends HTMLElement>(id: string, is: new () => E): E | undefined {
  const found = document.getElementById(id)
  return found instanceof is ? found : undefined
}

export function all(selectors: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selectors)]
}

/** Objects that are not filtered out. */
export function shownItems(): HTMLElement[] {
  return all('.item:not([hidden])')
}
