// SPDX-License-Identifier: GPL-3.0-or-later
// The pickle machine: a stack, a memo, and marks. Each opcode takes at least one byte, so time and memory are
// bounded by the size of the pickle. Opcodes of protocols 0 to 5; persistent ids and extensions as far as
// torch goes.
#include "core/io/pickle.h"

#include "core/base/error.h"

#include <cstring>
#include <unordered_map>

namespace fx {

namespace {

class Machine {
public:
    Machine(std::string_view data, const std::string& place) : m_data(data), m_place(place) {}
    PickleDocument run() {
        for (char op = take(1)[0]; op != '.'; op = take(1)[0])
            perform(op);
        m_document.root = pop();
        m_document.length = m_at;
        return std::move(m_document);
    }

private:
    [[noreturn]] void fail(const std::string& message) const {
        throw Error(m_place, "pickle: " + message + " at byte " + std::to_string(m_at));
    }

    std::string_view take(size_t count) {
        if (count > m_data.size() - m_at)
            fail("ends too early");
        const std::string_view out = m_data.substr(m_at, count);
        m_at += count;
        return out;
    }

    template <class T>
    T number() {
        T out;
        std::memcpy(&out, take(sizeof(T)).data(), sizeof(T));
        return out;
    }

    std::string_view line() {
        const size_t end = m_data.find('\n', m_at);
        if (end == std::string_view::npos)
            fail("ends too early");
        const std::string_view out = m_data.substr(m_at, end - m_at);
        m_at = end + 1;
        return out;
    }

    template <class T>
    PickleRef make(T&& value) {
        return &m_document.values.emplace_back(PickleValue{std::forward<T>(value)});
    }

    template <class T>
    void push(T&& value) {
        m_stack.push_back(make(std::forward<T>(value)));
    }

    PickleRef pop() {
        if (m_stack.empty())
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
        if (m_marks.empty() || m_marks.back() > m_stack.size())
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

    void appendTo(PickleRef target, std::vector<PickleRef> items) {
        if (auto* list = std::get_if<PickleList>(&target->value))
            list->items.insert(list->items.end(), items.begin(), items.end());
        else if (auto* call = std::get_if<PickleCall>(&target->value))
            call->appended.insert(call->appended.end(), items.begin(), items.end());
        else
            fail("appends to what is no list");
    }

    void setItems(PickleRef target, const std::vector<PickleRef>& items) {
        std::vector<std::pair<PickleRef, PickleRef>>* into = nullptr;
        if (auto* dict = std::get_if<PickleDict>(&target->value))
            into = &dict->items;
        else if (auto* call = std::get_if<PickleCall>(&target->value))
            into = &call->items;
        if (!into || items.size() % 2 != 0)
            fail("sets items of what is no dict");
        for (size_t i = 0; i < items.size(); i += 2)
            into->emplace_back(items[i], items[i + 1]);
    }

    void call() {
        PickleCall out;
        out.arguments = pop();
        out.callable = pop();
        push(std::move(out));
    }

    void longInteger(size_t size) {
        const std::string_view bytes = take(size);
        if (size > 8)
            fail("holds an int of more than 64 bits");
        uint64_t value = size > 0 && (bytes.back() & 0x80) ? ~uint64_t(0) : 0;
        for (size_t i = size; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes[i]);
        push(static_cast<int64_t>(value));
    }

    void integerLine() {
        std::string text(line());
        if (text == "00" || text == "01") {
            push(text == "01");
            return;
        }
        if (!text.empty() && text.back() == 'L')
            text.pop_back();
        push(static_cast<int64_t>(std::strtoll(text.c_str(), nullptr, 10)));
    }

    void put(uint64_t index) { m_memo[index] = top(); }

    void get(uint64_t index) {
        const auto found = m_memo.find(index);
        if (found == m_memo.end())
            fail("asks for something it never stored");
        m_stack.push_back(found->second);
    }

    std::string textOf(PickleRef value) {
        const auto* text = value->as<std::string>();
        if (!text)
            fail("names something by what is no text");
        return *text;
    }

    void perform(char op) {
        switch (op) {
        case '(':
            m_marks.push_back(m_stack.size());
            break;
        case '0':
            pop();
            break;
        case '1':
            popMark();
            break;
        case '2':
            m_stack.push_back(top());
            break;
        case 'N':
            push(std::monostate());
            break;
        case '\x88':
            push(true);
            break;
        case '\x89':
            push(false);
            break;
        case 'I':
        case 'L':
            integerLine();
            break;
        case 'J':
            push(int64_t(number<int32_t>()));
            break;
        case 'K':
            push(int64_t(number<uint8_t>()));
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
            push(std::strtod(std::string(line()).c_str(), nullptr));
            break;
        case 'G': {
            uint64_t bits = __builtin_bswap64(number<uint64_t>());
            double value;
            std::memcpy(&value, &bits, sizeof value);
            push(value);
            break;
        }
        case 'V':
            push(std::string(line()));
            break;
        case 'S': {
            const std::string_view quoted = line();
            push(std::string(quoted.size() >= 2 ? quoted.substr(1, quoted.size() - 2) : quoted));
            break;
        }
        case 'X':
            push(std::string(take(number<uint32_t>())));
            break;
        case '\x8c':
            push(std::string(take(number<uint8_t>())));
            break;
        case '\x8d':
            push(std::string(take(number<uint64_t>())));
            break;
        case 'U':
            push(std::string(take(number<uint8_t>())));
            break;
        case 'T':
            push(std::string(take(number<uint32_t>())));
            break;
        case 'C':
            push(PickleBytes{std::string(take(number<uint8_t>()))});
            break;
        case 'B':
            push(PickleBytes{std::string(take(number<uint32_t>()))});
            break;
        case '\x8e':
        case '\x96':
            push(PickleBytes{std::string(take(number<uint64_t>()))});
            break;
        case ')':
            push(PickleTuple());
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
            push(PickleList());
            break; // a set: its items in order
        case '\x91':
            push(PickleList{popMark()});
            break;
        case '\x90':
        case 'e': {
            std::vector<PickleRef> items = popMark();
            appendTo(top(), std::move(items));
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
        case 'c': {
            std::string name(line());
            name += '.';
            push(PickleGlobal{name + std::string(line())});
            break;
        }
        case '\x93': {
            const std::string name = textOf(pop()), module = textOf(pop());
            push(PickleGlobal{module + '.' + name});
            break;
        }
        case 'R':
        case '\x81':
            call();
            break;
        case '\x92':
            pop(), call();
            break;
        case 'i': {
            std::string name(line());
            name += '.';
            name += line();
            PickleCall out;
            out.arguments = make(PickleTuple{popMark()});
            out.callable = make(PickleGlobal{name});
            push(std::move(out));
            break;
        }
        case 'o': {
            std::vector<PickleRef> items = popMark();
            if (items.empty())
                fail("makes an object of nothing");
            PickleCall out;
            out.callable = items[0];
            items.erase(items.begin());
            out.arguments = make(PickleTuple{std::move(items)});
            push(std::move(out));
            break;
        }
        case 'b': {
            const PickleRef state = pop();
            if (auto* object = std::get_if<PickleCall>(&top()->value))
                object->state = state;
            break;
        }
        case 'Q':
            push(PicklePersistent{pop()});
            break;
        case 'P':
            push(PicklePersistent{make(std::string(line()))});
            break;
        case 'p':
            put(std::strtoull(std::string(line()).c_str(), nullptr, 10));
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
            get(std::strtoull(std::string(line()).c_str(), nullptr, 10));
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
        case '\x95':
            number<uint64_t>();
            break;
        default:
            fail("has an opcode that is not known");
        }
    }

    std::string_view m_data;
    const std::string& m_place;
    size_t m_at = 0;
    PickleDocument m_document;
    std::vector<PickleRef> m_stack;
    std::vector<size_t> m_marks;
    std::unordered_map<uint64_t, PickleRef> m_memo;
};

} // namespace

PickleDocument readPickle(std::string_view data, const std::string& place) {
    return Machine(data, place).run();
}

} // namespace fx
