/** A version 4 UUID drawn from a source of numbers from 0 up to 1; the same source gives the same ids. */
export function uuidFrom(random: () => number): string {
  let digits = ''
  for (let drawn = 0; drawn < 32; drawn++) digits += '0123456789abcdef'[Math.floor(random() * 16)]
  const variant = '89ab'[Math.floor(random() * 4)]
  const at = (from: number, to: number) => digits.slice(from, to)
  return `${at(0, 8)}-${at(8, 12)}-4${at(13, 16)}-${variant}${at(17, 20)}-${at(20, 32)}`
}
