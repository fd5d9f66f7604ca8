import type { Words } from '../en/index.ts'

export const camera: Words['camera'] = {
  scan: 'Code scannen',
  stop: 'Kamera schließen',
  take: 'Bild aufnehmen',
  takeNow: 'Jetzt aufnehmen',
  sees: 'Was die Kamera sieht',
  opening: 'Kamera wird geöffnet …',
  fromPicture: 'Oder aus einem Bild',
  fromPictureHint: 'Es bleibt auf diesem Gerät.',
  noCode: 'In diesem Bild ist kein QR-Code. Nehmen Sie eines, das den ganzen Code gerade zeigt.',
  otherCode: 'Dieser Code führt zu keinem Unternehmen bei Sealpost. Prüfen Sie, ob es der richtige ist.',
  refused: {
    what: 'Dieses Gerät lässt Sealpost die Kamera nicht benutzen.',
    next: 'Erlauben Sie dieser Seite die Kamera in den Einstellungen des Browsers, oder wählen Sie ein Bild.',
  },
  missing: {
    what: 'Es gibt keine Kamera, die Sealpost benutzen könnte.',
    next: 'Schließen Sie andere Programme, die sie benutzen, oder wählen Sie ein Bild.',
  },
}
