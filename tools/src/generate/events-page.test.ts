import { readXml } from '@sealpost/http'
import { isQueuedEvent } from '@sealpost/protocol'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { eventSamples, eventsPage } from './events-page.ts'

const samples = eventSamples()

test.each(samples)('the samples of $kind on the $feed feed fit its schema, and the XML reads as the JSON', (sample) => {
  const { entry, feed, json, kind, xml } = sample
  expect(Compile(entry.schema).Check(json)).toBe(true)
  expect(isQueuedEvent(json)).toBe(feed === 'service' && kind !== 'test')
  expect(readXml(xml, entry.schema)).toEqual(json)
})

test('the page has every kind with both samples, and the XML differs from the wire by line breaks only', () => {
  const page = eventsPage()
  for (const { json } of samples) expect(page).toContain(JSON.stringify(json, null, 2))
  const shown = [...page.matchAll(/^```xml\n(.+?)\n```$/gms)].map(([, text = '']) => text.replaceAll(/\n */g, ''))
  expect(shown).toEqual(samples.map(({ xml }) => xml))
})
