export { drawQr, type Sight } from './draw-qr.ts'
export { makeQr } from './make-qr.ts'
