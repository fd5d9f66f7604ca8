import type { SealAct } from '@sealpost/pdf-format'

const NAMES = [
  ['Mara', 'Müller-Łódź'],
  ['Юлия', 'Кузнецова'],
  ['Γιώργος', 'Παπαδόπουλος'],
  ['محمد', 'علي 123'],
  ['יוסי', 'כהן'],
  ['राजेश', 'कुमार'],
  ['สมชาย', 'ใจดี'],
  ['王', '小明'],
  ['さくら', '田中'],
  ['김', '철수'],
  ['გიორგი', 'ბერიძე'],
  ['Արամ', 'Պետրոսյան'],
] as const

/** One act each, a minute apart. */
export function signersOfManyScripts(): readonly SealAct[] {
  return NAMES.map(([first, last], index) => ({
    signer_first_name: first,
    signer_last_name: last,
    signer_name_verified: index % 2 === 0,
    action: index % 3 === 2 ? 'accepted' : 'signed',
    method: index % 3 === 2 ? null : 'biometric',
    created_at: `2026-05-01T09:${String(10 + index)}:00.000+00:00`,
    position: index + 1,
  }))
}
