import { expect, test } from 'vitest'
import { requireLoopback } from './reset.ts'

test.each([
  ['SEALPOST_EU_POSTGRES_URL', 'postgres://u:p@db.example/sealpost_eu'],
  ['SEALPOST_EU_POSTGRES_URL', 'postgres://127.0.0.1@db.example/sealpost_eu'],
  ['SEALPOST_US_POSTGRES_URL', 'postgres://u@127.0.0.1:5432,db.example:5432/sealpost_us'],
  ['SEALPOST_US_NATS_URL', 'nats://127.0.0.1.example:4222'],
  ['SEALPOST_EU_S3_ENDPOINT', 'https://s3.example'],
])('a reset refuses %s=%s', (name, value) => {
  expect(() => requireLoopback({ [name]: value })).toThrow(name)
})

test.each([
  ['SEALPOST_EU_POSTGRES_URL', 'postgres://u:p@127.0.0.1:5432,localhost:5433/sealpost_eu'],
  ['SEALPOST_EU_NATS_URL', 'nats://localhost:4222'],
  ['SEALPOST_EU_S3_ENDPOINT', 'http://[::1]:9000'],
  ['SEALPOST_EU_S3_BUCKET', 'anything'],
])('a reset accepts %s=%s', (name, value) => {
  expect(() => requireLoopback({ [name]: value })).not.toThrow()
})
