export interface FleetMetrics {
  ended(one: object): void
  keep(names: readonly string[]): void
  postponed(environment: string): void
  jobsWaiting(n: number): void
  storeUp(isUp: boolean): void
  text(): Promise<string>
  readonly contentType: string
}
export async function openFleetMetrics(): Promise<FleetMetrics> {
  return { ended() {}, keep() {}, postponed() {}, jobsWaiting() {}, storeUp() {}, text: async () => '', contentType: 'text/plain' }
}
