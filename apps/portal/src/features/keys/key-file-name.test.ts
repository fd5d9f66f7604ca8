import { expect, test } from 'vitest'
import { keyFileName } from './key-file-name.ts'

test.each([
  ['Home visits', 'Home-visits-key.pem'],
  ['Prüfung & Pflege', 'Prüfung-Pflege-key.pem'],
  ['../../etc/passwd', 'etc-passwd-key.pem'],
  ['<script>alert(1)</script>', 'script-alert-1-script-key.pem'],
  ['\u202Egnp.exe', 'gnp-exe-key.pem'],
  ['…', 'service-key.pem'],
])('%j is saved as %j', (service, file) => {
  expect(keyFileName(service)).toBe(file)
})
