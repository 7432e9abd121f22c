// What a screen reader is told: the ends of stages politely, failures at once. Streaming text never comes here.
class Announcer {
  polite = $state("");
  assertive = $state("");

  say(sentence: string): void {
    this.polite = sentence;
  }

  warn(sentence: string): void {
    this.assertive = sentence;
  }
}

export const announcer = new Announcer();
