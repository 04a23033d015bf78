import { expect, it } from 'vitest'
import {
  isAboutBaseUrl,
  SettingError,
  TransportError,
  UnexpectedAnswerError,
} from '../../../src/api/index.ts'

const requestLine = 'GET /api/projects/1/feature_flags'
const lost = (sent: 'no' | 'maybe', code?: string) =>
  new TransportError({ requestLine, sent, code, reason: 'of the base URL' })

it.each([
  [true, 'a base URL that is none', new SettingError('baseUrl', 'it is not a URL')],
  [false, 'another setting', new SettingError('rate', 'not that of the base URL')],
  [true, 'no such host', lost('no', 'ENOTFOUND')],
  [true, 'nobody there', lost('no', 'ECONNREFUSED')],
  [false, 'a certificate', lost('no', 'CERT_HAS_EXPIRED')],
  [false, 'a proxy', lost('no', 'UND_ERR_PRX_TLS')],
  [false, 'a client that was closed', lost('no')],
  [false, 'an answer that was lost', lost('maybe', 'ECONNRESET')],
  [true, 'a redirection', new UnexpectedAnswerError({ requestLine, code: 'redirect', reason: 'leads away' })],
  [true, 'a page', new UnexpectedAnswerError({ requestLine, code: 'not_json', reason: 'is not JSON' })],
  [
    false,
    'half an answer',
    new UnexpectedAnswerError({ requestLine, code: 'truncated', reason: 'base URL' }),
  ],
  [false, 'anything else', new Error('the base URL')],
])('it is %s that the base URL may be to blame for %s', (expected, _, error) => {
  expect(isAboutBaseUrl(error)).toBe(expected)
})
