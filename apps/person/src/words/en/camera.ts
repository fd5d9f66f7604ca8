export const camera = {
  scan: 'Scan the code',
  stop: 'Close the camera',
  take: 'Take a picture',
  takeNow: 'Take it now',
  sees: 'What the camera sees',
  opening: 'Opening the camera …',
  fromPicture: 'Or from a picture',
  fromPictureHint: 'It stays on this device.',
  noCode: 'There is no QR code in this picture. Take one that shows the whole code, straight on.',
  otherCode: 'This code does not lead to a company at Sealpost. Check that it is the right one.',
  refused: {
    what: 'This device does not let Sealpost use its camera.',
    next: 'Allow the camera for this site in the settings of the browser, or choose a picture.',
  },
  missing: {
    what: 'There is no camera that Sealpost could use.',
    next: 'Close other programs that use it, or choose a picture.',
  },
}
