import { recordingTelemetry } from '@sealpost/telemetry'
import { expect, onTestFinished, test } from 'vitest'
import { getRequest, openTestEgress, startHttp } from './test-server.ts'

test('every outcome is counted by its class, and no target is named', async () => {
  const server = await startHttp((_request, response) => void response.end())
  onTestFinished(() => server.close())
  const telemetry = recordingTelemetry()
  const egress = openTestEgress({ telemetry, policy: { internalHosts: ['hooks.customer.example'] } })
  await telemetry.trace('test', {}, async () => {
    await egress.send(getRequest(`http://hooks.customer.example:${server.port}/secret-path`))
    await egress.send(getRequest('http://10.0.0.1/secret-path'))
  })
  const metrics = await telemetry.prometheus()
  expect(metrics).toMatch(/egress_requests_total\{[^}]*outcome="answered"[^}]*\} 1\b/)
  expect(metrics).toMatch(/egress_requests_total\{[^}]*outcome="refused"[^}]*\} 1\b/)
  expect(metrics).toContain('egress_request_duration_seconds')
  const told = `${metrics}${telemetry.text()}${JSON.stringify(telemetry.spans())}`
  expect(told).toContain('"name":"egress"')
  expect(told).not.toMatch(/customer\.example|10\.0\.0\.1|secret-path/)
})
