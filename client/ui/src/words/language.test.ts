import { expect, test } from 'vitest'
import { preferredLanguage } from './language.ts'

test('the choice of this device comes first, then the languages of the browser', () => {
  expect(preferredLanguage('de', ['en-GB'])).toBe('de')
  expect(preferredLanguage(null, ['fr-FR', 'de-AT', 'en'])).toBe('de')
  expect(preferredLanguage('xx', ['en-US'])).toBe('en')
  expect(preferredLanguage(null, ['sv'])).toBe('en')
})
