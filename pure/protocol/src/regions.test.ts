import { expect, test } from 'vitest'
import { parseRegions } from './regions.ts'

test('regions are read with their addresses', () => {
  expect(
    parseRegions(
      'eu|Europe|https://eu.example|nats://n1:4222;nats://n2:4222, us|United States|http://us:80|tls://n2:4222',
    ),
  ).toEqual([
    { code: 'eu', name: 'Europe', apiUrl: 'https://eu.example', natsUrls: ['nats://n1:4222', 'nats://n2:4222'] },
    { code: 'us', name: 'United States', apiUrl: 'http://us:80', natsUrls: ['tls://n2:4222'] },
  ])
})

test.each([
  '',
  'eu|Europe|https://eu.example',
  'EU|Europe|https://eu.example|nats://n',
  'eu|Europe|https://eu.example/path|nats://n',
  'eu|Europe|https://eu.example|nats://user:secret@n',
  'eu|Europe|ftp://eu.example|nats://n',
  'directory|Directory|https://d.example|nats://n',
  'eu|A|https://a.example|nats://n,eu|B|https://b.example|nats://n',
])('%j is refused', (text) => {
  expect(() => parseRegions(text)).toThrow()
})
