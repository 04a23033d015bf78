/** The parts of undici that send requests. All of undici takes four times as long to load. */

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'

  export default Pool
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import { EnvHttpProxyAgent } from 'undici'

  export default EnvHttpProxyAgent
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'

  /** The function behind the method of each dispatcher. */
  const connect: Dispatcher['connect']
  export default connect
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>
}
