// A text message as one WebSocket frame (RFC 6455, 5.2). What a server sends is not masked, so the very same bytes can go to
// any number of clients, each with a single write.

export const toTextFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text)
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  if (head === 2) frame[1] = length
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, head)
  return frame
}
