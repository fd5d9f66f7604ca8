import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/**
 * For routes whose answer another library writes: hands out the raw response with the house headers (request id,
 * version, CORS) already on it. The log line and the metrics are made when it closes, as for every request.
 */
export function handOver(reply: FastifyReply): ServerResponse {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
  return reply.raw
}
