import { describeBadRequests } from '@sealpost/testkit/conformance/http'
import { openTestServer, THING } from './testing/server.ts'

const api = await openTestServer()

describeBadRequests(
  () => ({
    url: api.url,
    authorization: 'Bearer good',
    reads: [`/api/things/${THING}`, '/api/things'],
    writes: [
      {
        method: 'POST',
        path: '/api/things',
        type: 'application/json',
        sample: '{"name":"thing","tags":["a"],"note":"x"}',
        maxBodyBytes: 4096,
      },
      {
        method: 'PUT',
        path: `/api/things/${THING}`,
        type: 'application/json',
        sample: '{"name":"thing"}',
        maxBodyBytes: 4 * 1024 * 1024,
      },
    ],
  }),
  { count: 1000 },
)
