/** A command that a plan tells people to type, at the place that was planned: `vexil pull checkout --env production`. */
export function commandAt(command: string, placeOptions = ''): string {
  return `\`${placeOptions === '' ? command : `${command} ${placeOptions}`}\``
}
