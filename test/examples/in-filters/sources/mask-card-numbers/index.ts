interface Event {
  properties: Record<string, unknown>
}

const cardNumber = /\b(?:\d[ -]?){12,15}(\d{4})\b/g

export function processEvent(event: Event): Event {
  for (const [name, value] of Object.entries(event.properties)) {
    if (typeof value === 'string') event.properties[name] = value.replace(cardNumber, '**** $1')
  }
  return event
}
