// SPDX-License-Identifier: GPL-3.0-or-later
// The pickle machine: a stack, a memo, and marks. Each opcode takes at least one byte and makes at most one
// value, so time and memory are bounded by the size of the pickle. Opcodes of protocols 0 to 5, without those
// that need something beside the file (extension codes, out-of-band buffers).
#include "core/io/pickle/pickle.h"

#include "core/io/pickle/pickle_input.h"

#include <unordered_map>

namespace fx {

namespace {

/// A model's pickle has some ten values for each module; this bounds memory at about 2 GB.
constexpr size_t kMostValues = 20'000'000;

class Machine : PickleInput {
public:
    using PickleInput::PickleInput;
    PickleDocument run() {
        for (char op = take(1)[0]; op != '.'; op = take(1)[0])
            perform(op);
        m_document.root = pop();
        m_document.length = at();
        return std::move(m_document);
    }

private:
    // --- Values

    template <class T>
    PickleRef make(T&& value) {
        if (m_document.values.size() >= kMostValues)
            fail("holds more than " + std::to_string(kMostValues) + " values");
        PickleValue& made = m_document.values.emplace_back();
        if constexpr (std::is_same_v<std::remove_cvref_t<T>, PickleCall>)
            made.value = std::make_unique<PickleCall>(std::forward<T>(value));
        else
            made.value = std::forward<T>(value);
        return &made;
    }

    template <class T>
    void push(T&& value) {
        m_stack.push_back(make(std::forward<T>(value)));
    }

    /// None, True, False and () take one byte each; all of a kind are one value.
    template <class T>
    void pushShared(PickleRef& shared, T value) {
        if (!shared)
            shared = make(std::move(value));
        m_stack.push_back(shared);
    }

    void pushSmall(uint8_t value) { pushShared(m_small[value], int64_t(value)); }

    PickleRef pop() {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back()))
            fail("takes from an empty stack");
        const PickleRef out = m_stack.back();
        m_stack.pop_back();
        return out;
    }

    PickleRef top() {
        if (m_stack.empty())
            fail("looks at an empty stack");
        return m_stack.back();
    }

    std::vector<PickleRef> popMark() {
        if (m_marks.empty())
            fail("has no mark");
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<PickleRef> out(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return out;
    }

    void tuple(size_t count) {
        PickleTuple out;
        out.items.resize(count);
        for (size_t i = count; i-- > 0;)
            out.items[i] = pop();
        push(std::move(out));
    }

    PickleCall* callOf(PickleRef value) {
        auto* held = std::get_if<std::unique_ptr<PickleCall>>(&value->value);
        return held ? held->get() : nullptr;
    }

    void appendTo(PickleRef target, const std::vector<PickleRef>& items) {
        std::vector<PickleRef>* into = nullptr;
        if (auto* list = std::get_if<PickleList>(&target->value))
            into = &list->items;
        else if (auto* set = std::get_if<PickleSet>(&target->value))
            into = &set->items;
        else if (PickleCall* call = callOf(target))
            into = &call->appended;
        else
            fail("appends to what is no list");
        into->insert(into->end(), items.begin(), items.end());
    }

    void setItems(PickleRef target, const std::vector<PickleRef>& items) {
        PickleItems* into = nullptr;
        if (auto* dict = std::get_if<PickleDict>(&target->value))
            into = &dict->items;
        else if (PickleCall* call = callOf(target))
            into = &call->items;
        if (!into || items.size() % 2 != 0)
            fail("sets items of what is no dict");
        for (size_t i = 0; i < items.size(); i += 2)
            into->emplace_back(items[i], items[i + 1]);
    }

    void call(bool isNew, PickleRef keywords = nullptr) {
        PickleCall out;
        out.keywords = keywords;
        out.isNew = isNew;
        out.arguments = pop();
        out.callable = pop();
        push(std::move(out));
    }

    void callOfMark(PickleRef callable, std::vector<PickleRef> arguments) {
        PickleCall out;
        out.callable = callable;
        out.arguments = make(PickleTuple{std::move(arguments)});
        push(std::move(out));
    }

    void build() {
        const PickleRef state = pop();
        if (PickleCall* object = callOf(top()))
            object->state = state;
    }

    void longInteger(uint64_t size) {
        const std::string_view bytes = take(size);
        if (size > 8) {
            push(PickleLong{hexadecimalLong(bytes)});
            return;
        }
        uint64_t value = size > 0 && (bytes.back() & 0x80) ? ~uint64_t(0) : 0;
        for (size_t i = size; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes[i]);
        push(static_cast<int64_t>(value));
    }

    void integerLine() {
        const std::string_view text = line();
        if (text == "00" || text == "01") {
            push(text == "01");
            return;
        }
        auto value = sound(pickleInteger(text), "int");
        if (const auto* small = std::get_if<int64_t>(&value))
            push(*small);
        else
            push(PickleLong{std::move(std::get<std::string>(value))});
    }

    void bigEndianFloat() {
        const uint64_t bits = __builtin_bswap64(number<uint64_t>());
        double value;
        std::memcpy(&value, &bits, sizeof value);
        push(value);
    }

    void stackGlobal() {
        const PickleRef name = pop(), module = pop();
        const auto* nameText = name->as<std::string>();
        const auto* moduleText = module->as<std::string>();
        if (!nameText || !moduleText)
            fail("names something by what is no text");
        push(PickleGlobal{*moduleText + '.' + *nameText});
    }

    void put(uint64_t index) { m_memo[index] = top(); }

    void get(uint64_t index) {
        const auto found = m_memo.find(index);
        if (found == m_memo.end())
            fail("asks for something it never stored");
        m_stack.push_back(found->second);
    }

    // --- Opcodes

    void perform(char op) {
        if (!performScalar(op) && !performContainer(op) && !performStack(op) && !performObject(op))
            fail("has an opcode that is not known");
    }

    bool performScalar(char op) {
        switch (op) {
        case 'N':
            pushShared(m_none, std::monostate());
            break;
        case '\x88':
            pushShared(m_true, true);
            break;
        case '\x89':
            pushShared(m_false, false);
            break;
        case 'I':
        case 'L':
            integerLine();
            break;
        case 'J':
            push(int64_t(number<int32_t>()));
            break;
        case 'K':
            pushSmall(number<uint8_t>());
            break;
        case 'M':
            push(int64_t(number<uint16_t>()));
            break;
        case '\x8a':
            longInteger(number<uint8_t>());
            break;
        case '\x8b':
            longInteger(number<uint32_t>());
            break;
        case 'F':
            push(sound(pickleFloat(line()), "float"));
            break;
        case 'G':
            bigEndianFloat();
            break;
        case 'V':
            push(sound(rawPickleText(line()), "text"));
            break;
        case 'S':
            push(sound(quotedPickleText(line()), "quoted text"));
            break;
        case 'X':
        case 'T':
            push(text<uint32_t>());
            break;
        case '\x8c':
        case 'U':
            push(text<uint8_t>());
            break;
        case '\x8d':
            push(text<uint64_t>());
            break;
        case 'C':
            push(PickleBytes{text<uint8_t>()});
            break;
        case 'B':
            push(PickleBytes{text<uint32_t>()});
            break;
        case '\x8e':
        case '\x96':
            push(PickleBytes{text<uint64_t>()});
            break;
        default:
            return false;
        }
        return true;
    }

    bool performContainer(char op) {
        switch (op) {
        case ')':
            pushShared(m_empty, PickleTuple());
            break;
        case '\x85':
            tuple(1);
            break;
        case '\x86':
            tuple(2);
            break;
        case '\x87':
            tuple(3);
            break;
        case 't':
            push(PickleTuple{popMark()});
            break;
        case ']':
            push(PickleList());
            break;
        case 'l':
            push(PickleList{popMark()});
            break;
        case '}':
            push(PickleDict());
            break;
        case 'd': {
            const std::vector<PickleRef> items = popMark();
            push(PickleDict());
            setItems(top(), items);
            break;
        }
        case '\x8f':
            push(PickleSet());
            break;
        case '\x91':
            push(PickleSet{popMark()});
            break;
        case '\x90':
        case 'e': {
            const std::vector<PickleRef> items = popMark();
            appendTo(top(), items);
            break;
        }
        case 'a': {
            const PickleRef item = pop();
            appendTo(top(), {item});
            break;
        }
        case 's': {
            const PickleRef value = pop(), key = pop();
            setItems(top(), {key, value});
            break;
        }
        case 'u': {
            const std::vector<PickleRef> items = popMark();
            setItems(top(), items);
            break;
        }
        default:
            return false;
        }
        return true;
    }

    bool performStack(char op) {
        switch (op) {
        case '(':
            m_marks.push_back(m_stack.size());
            break;
        case '0':
            // Taking a mark is allowed.
            if (!m_marks.empty() && m_marks.back() == m_stack.size())
                m_marks.pop_back();
            else
                pop();
            break;
        case '1':
            popMark();
            break;
        case '2':
            m_stack.push_back(top());
            break;
        case 'p':
            put(indexLine());
            break;
        case 'q':
            put(number<uint8_t>());
            break;
        case 'r':
            put(number<uint32_t>());
            break;
        case '\x94':
            put(m_memo.size());
            break;
        case 'g':
            get(indexLine());
            break;
        case 'h':
            get(number<uint8_t>());
            break;
        case 'j':
            get(number<uint32_t>());
            break;
        case '\x80':
            if (number<uint8_t>() > 5)
                fail("is of a newer protocol than 5");
            break;
        case '\x95': // a frame: how much the writer buffered
            number<uint64_t>();
            break;
        default:
            return false;
        }
        return true;
    }

    bool performObject(char op) {
        switch (op) {
        case 'c':
            push(globalLines());
            break;
        case '\x93':
            stackGlobal();
            break;
        case 'R':
            call(false);
            break;
        case '\x81':
            call(true);
            break;
        case '\x92': {
            const PickleRef keywords = pop();
            call(true, keywords);
            break;
        }
        case 'i': {
            const PickleRef callable = make(globalLines());
            callOfMark(callable, popMark());
            break;
        }
        case 'o': {
            std::vector<PickleRef> items = popMark();
            if (items.empty())
                fail("makes an object of nothing");
            const PickleRef callable = items[0];
            items.erase(items.begin());
            callOfMark(callable, std::move(items));
            break;
        }
        case 'b':
            build();
            break;
        case 'Q':
            push(PicklePersistent{pop()});
            break;
        case 'P':
            push(PicklePersistent{make(std::string(line()))});
            break;
        case '\x82':
        case '\x83':
        case '\x84':
            fail("uses the extension codes of the program that wrote it");
        case '\x97':
        case '\x98':
            fail("keeps parts of its content outside of the file");
        default:
            return false;
        }
        return true;
    }

    PickleDocument m_document;
    std::vector<PickleRef> m_stack;
    std::vector<size_t> m_marks;
    std::unordered_map<uint64_t, PickleRef> m_memo;
    PickleRef m_none = nullptr, m_true = nullptr, m_false = nullptr, m_empty = nullptr;
    PickleRef m_small[256] = {};
};

} // namespace

const std::vector<PickleRef>& PickleCall::positional() const {
    static const std::vector<PickleRef> kNone;
    const auto* tuple = arguments->as<PickleTuple>();
    return tuple ? tuple->items : kNone;
}

PickleDocument readPickle(std::string_view data, const std::string& place) {
    return Machine(data, place).run();
}

} // namespace fx
