const longest = 120;
const comment = /^\s*(\/\/|\/\*|\*)/;
const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?![/*])(?:[^/\\]|\\.)+\/[a-z]*/g;

/**
 * The lines of a source that are too long although they could be broken. A text, a pattern or a template stays whole,
 * so that a search finds it: a line may be as long as such a literal makes it.
 */
export function longLines(source: string): readonly string[] {
  let inTemplate = false;
  return source.split('\n').filter((line) => {
    const within = inTemplate;
    if (!within && comment.test(line)) return line.length > longest;
    const code = line.replaceAll(literal, '');
    if ((code.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1) inTemplate = !inTemplate;
    return !within && code.length > longest && !/`|\$\{|<\//.test(code);
  });
}
