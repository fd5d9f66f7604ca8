export { type BadRequestTarget, describeBadRequests } from './http/bad-requests.ts'
export { describeIdempotency, type IdempotencySite } from './http/idempotency.ts'
